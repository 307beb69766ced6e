import type { Unasked } from "../doors/retry-after.ts";
import { createFailure } from "../spec/failure/create-failure.ts";

/** The bytes that the body of one request holds until its response has ended. */
export type HeldBody = {
  readonly bytes: number;
  /** Counts further bytes; a failure if all bodies together would have too many. */
  take(bytes: number): Unasked | undefined;
  release(): void;
};

/** How soon a refused request may come again: another one may end at any time. */
const RETRY_MS = 1000;

/** The bytes of the bodies of all requests in progress, up to a limit. */
export class BodyBytes {
  private readonly most: number;
  private held = 0;

  constructor(most: number) {
    this.most = most;
  }

  open(): HeldBody {
    let own = 0;
    return {
      get bytes() {
        return own;
      },
      take: (bytes) => {
        if (this.held + bytes > this.most) return this.refusal();
        own += bytes;
        this.held += bytes;
        return undefined;
      },
      release: () => {
        this.held -= own;
        own = 0;
      },
    };
  }

  private refusal(): Unasked {
    const message = `The requests in progress have too many bytes: the limit of all their bodies is ${this.most}.`;
    const hint = "Retry in a moment, or start with --max-bodies.";
    return { ...createFailure("overloaded", message, { hint, retryAfterMs: RETRY_MS }), isUnasked: true };
  }
}
