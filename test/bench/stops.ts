/** What has been started, and is stopped in the other order. */
export class Stops {
  readonly #steps: (() => Promise<unknown>)[] = [];

  push(step: () => Promise<unknown>): void {
    this.#steps.push(step);
  }

  async run(): Promise<void> {
    for (const step of this.#steps.splice(0).reverse()) await step();
  }
}
