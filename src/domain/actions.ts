import type {
  ActionStateFacts,
  ApprovalBinding,
  ControlStateFacts,
  EnvelopeFacts,
  FrozenAction,
} from './facts.js';
import { schemaVersion2 } from './vocabulary.js';

/** One frozen action, beside what the source says of it now. */
export interface ActionFacts extends ActionStateFacts {
  readonly frozen: FrozenAction;
  /** At sealing: what the session first sealed its approval under; null where it never did. */
  readonly first_binding: ApprovalBinding | null;
}

/** Every action of an envelope, in its order, for the rules that look at one action at a time. */
export function actionsOf({ envelope, current, first_bindings = [] }: ActionSources): ActionFacts[] {
  return envelope.actions.map((frozen, place) => ({
    frozen,
    first_binding: first_bindings[place] ?? null,
    ...(current?.actions[place] ?? nothingKnown),
  }));
}

/** What a source says of an action that it doesn't know. */
export const nothingKnown: ActionStateFacts = {
  capability_version: null,
  approval: null,
  side_effect: null,
};

/**
 * Whether answers list an envelope's actions, and findings name the one that they are about. Those of the first version
 * tell of its one action beside everything else, as they always have.
 */
export function listsActions({ schema_version }: Pick<EnvelopeFacts, 'schema_version'>): boolean {
  return schema_version === schemaVersion2;
}

/** The one action of an envelope whose answers don't list any. */
export function soleAction({ actions: [action] }: Pick<EnvelopeFacts, 'actions'>): FrozenAction {
  if (!action) throw new TypeError('This envelope has no action');
  return action;
}

interface ActionSources {
  readonly envelope: EnvelopeFacts;
  readonly current: ControlStateFacts | null;
  readonly first_bindings?: readonly (ApprovalBinding | null)[];
}
