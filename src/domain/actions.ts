import type { ControlStateFacts, EnvelopeFacts, FrozenAction } from './facts.js';

/** One frozen action, beside what the source says of it now; null where it says nothing. */
export interface ActionFacts {
  readonly frozen: FrozenAction;
  readonly capability_version: string | null;
  /** Beside an attested state: what the tenant's own record of the capability says. */
  readonly recorded_capability_version: string | null;
  readonly approval: ControlStateFacts['approval'];
  readonly side_effect: ControlStateFacts['side_effect'];
}

/** Every action of an envelope, in its order, for the rules that look at one action at a time. */
export function actionsOf({ envelope, current }: ActionSources): ActionFacts[] {
  return [
    {
      frozen: envelope.action,
      capability_version: current?.capability_version ?? null,
      recorded_capability_version: current?.recorded_versions?.capability_version ?? null,
      approval: current?.approval ?? null,
      side_effect: current?.side_effect ?? null,
    },
  ];
}

interface ActionSources {
  readonly envelope: EnvelopeFacts;
  readonly current: ControlStateFacts | null;
}
