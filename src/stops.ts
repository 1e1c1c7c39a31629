/** What was started, and the stop of all of it. */
export class Stops {
  readonly #steps: (() => unknown)[] = [];
  #ended: Promise<void> | undefined;

  /** Says how what is about to be started is stopped. */
  push(step: () => unknown): void {
    this.#steps.push(step);
  }

  /** Stops what was started, the last one first, and once however often it is asked for. */
  run(): Promise<void> {
    return (this.#ended ??= this.#run());
  }

  /** A step that fails keeps no other from being taken: the store is the last one. */
  async #run(): Promise<void> {
    const failures: unknown[] = [];
    for (let step = this.#steps.pop(); step; step = this.#steps.pop()) {
      try {
        await step();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, 'What was started did not stop');
  }
}
