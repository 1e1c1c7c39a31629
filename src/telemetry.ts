import { FastifyOtelInstrumentation } from '@fastify/otel';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import type { FastifyPluginCallback } from 'fastify';

/** Tracing of the service's own requests. */
export interface Telemetry {
  /** Registered before any route: what it wraps is measured. */
  readonly plugin: FastifyPluginCallback;
  /** Sends what is still held back. */
  stop(): Promise<void>;
}

/**
 * Sends spans to an OpenTelemetry collector, by the settings of OpenTelemetry itself (`OTEL_EXPORTER_OTLP_…`). A collector
 * that is away costs spans, never an answer.
 */
export function startTelemetry(): Telemetry {
  const provider = new NodeTracerProvider({
    resource: defaultResource().merge(resourceFromAttributes({ 'service.name': 'continuity-gate' })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  provider.register();
  const instrumentation = new FastifyOtelInstrumentation();
  instrumentation.setTracerProvider(provider);
  return { plugin: instrumentation.plugin(), stop: () => provider.shutdown() };
}
