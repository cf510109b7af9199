const STEPS = ['installing', 'starting MCP servers', 'waiting for the tools of', 'starting applications'] as const;

/** What the start of one service is doing. */
export type StartStep = (typeof STEPS)[number];

/** How many names a line has. */
const MAX_NAMES = 8;

/** What the start of services waits for, by service, as one line of text. */
export class StartSteps {
  readonly #onStep: (label: string) => void;
  readonly #current = new Map<string, { readonly step: StartStep; readonly displayName: string }>();
  #label = '';

  constructor(onStep: (label: string) => void) {
    this.#onStep = onStep;
  }

  /** @param displayName what the line names, by default the service */
  begin(service: string, step: StartStep, displayName: string = service): void {
    this.#current.set(service, { step, displayName });
    this.#report();
  }

  /** The service has started, or has failed. */
  end(service: string): void {
    this.#current.delete(service);
    this.#report();
  }

  #report(): void {
    const label = STEPS.flatMap((step) => {
      const names = [...this.#current.values()].flatMap((item) => (item.step === step ? [item.displayName] : []));
      return names.length === 0 ? [] : [`${step} ${listed(names)}`];
    }).join('; ');
    if (label === this.#label || label === '') return;
    this.#label = label;
    this.#onStep(label);
  }
}

function listed(names: readonly string[]): string {
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
  return `${[...new Set(names)].slice(0, MAX_NAMES).join(', ')}${more}`;
}
