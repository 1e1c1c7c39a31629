import { FastifyOtelInstrumentation } from '@fastify/otel';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  type ReadableSpan,
  type SpanExporter,
  type TimedEvent,
} from '@opentelemetry/sdk-trace-node';
import type { FastifyPluginCallback } from 'fastify';

import { framesOf, withoutQuery } from './redaction.js';

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
    spanProcessors: [new BatchSpanProcessor(redacting(new OTLPTraceExporter()))],
  });
  provider.register();
  const instrumentation = new FastifyOtelInstrumentation();
  instrumentation.setTracerProvider(provider);
  return { plugin: instrumentation.plugin(), stop: () => provider.shutdown() };
}

/** Sends spans without what the log leaves out of the same request: what is only removed from the log is not removed. */
function redacting(exporter: SpanExporter): SpanExporter {
  return {
    export: (spans, done) => {
      exporter.export(spans.map(redacted), done);
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}

function redacted(span: ReadableSpan): ReadableSpan {
  return Object.create(span, {
    attributes: { value: redactedAttributes(span.attributes) },
    events: { value: span.events.map(redactedEvent) },
    // The message is the error's, which may repeat what the caller has written.
    status: { value: { code: span.status.code } },
  }) as ReadableSpan;
}

function redactedEvent(event: TimedEvent): TimedEvent {
  return { ...event, ...(event.attributes && { attributes: redactedAttributes(event.attributes) }) };
}

function redactedAttributes(attributes: ReadableSpan['attributes']): ReadableSpan['attributes'] {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) => {
      if (untold.has(name)) return [];
      if (urls.has(name)) return [[name, withoutQuery(String(value))]];
      return [[name, name === 'exception.stacktrace' ? framesOf({ stack: String(value) }) : value]];
    }),
  );
}

const urls = new Set(['url.path', 'url.full', 'http.target', 'http.url']);
const untold = new Set(['url.query', 'exception.message']);
