import type { Failure } from "../../spec/failure/failure.ts";
import type { Target } from "../../spec/request.ts";
import { targetName } from "../../spec/request.ts";
import type { Fallback, QueueWait, Retry } from "../../spec/wire/events.ts";
import { toDuration, toOneLine, toShortTime, withShortTime } from "../terminal/terminal-text.ts";

export type PolicyEvent = Retry | Fallback | QueueWait;

export type Chain = { readonly targets: readonly Target[]; readonly attempts: number };

/** Prints one line for each retry, fallback and wait; tracks the current target. */
export class PolicyLines {
  private readonly names: readonly string[];
  private readonly attempts: number;
  private turn = 0;
  private attempt = 1;

  constructor({ targets, attempts }: Chain) {
    this.names = toNames(targets);
    this.attempts = attempts;
  }

  lineFor(event: PolicyEvent): string {
    switch (event.type) {
      case "retry": {
        this.attempt += 1;
        const again = `Retry in ${toDuration(event.delayMs)}, attempt ${this.attempt} of ${this.attempts}.`;
        return `· ${this.name()}: ${sentence(event.failure)} ${again}`;
      }
      case "fallback": {
        const from = this.name();
        this.turn += 1;
        this.attempt = 1;
        return `· ${from} → ${this.name()}: ${sentence(event.failure)}`;
      }
      case "queue-wait":
        return `· waiting in the queue (${event.position - 1 || "none"} before this run)`;
      default:
        return event satisfies never;
    }
  }

  /** The name of the last target, if there was a fallback. */
  lastAsked(): string | undefined {
    return this.turn === 0 ? undefined : this.name();
  }

  private name(): string {
    return this.names[this.turn] ?? "";
  }
}

/** The provider ids, with the models if a provider is in the list more than once. */
function toNames(targets: readonly Target[]): readonly string[] {
  const isUnique = targets.every(({ provider }, index) => targets.findIndex((other) => other.provider === provider) === index);
  return targets.map((target) => toOneLine(isUnique ? target.provider : targetName(target), 60));
}

/** The sentences after the first one are advice, which would be repeated with each attempt. */
const FIRST_SENTENCE = /^.{20,}?[.!?](?=\s+[A-Z])/;

function sentence({ message, code, resetAt }: Failure): string {
  const line = toOneLine(withShortTime(message, resetAt), 160);
  const words = (FIRST_SENTENCE.exec(line)?.[0] ?? line).replace(/\.$/, "");
  const until = resetAt === undefined || message.includes(resetAt) ? "" : ` until ${toShortTime(resetAt)}`;
  return `${words} (${code}${until}).`;
}
