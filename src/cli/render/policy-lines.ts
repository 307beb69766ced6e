import type { Fallback, QueueWait, Retry } from "../../spec/events.ts";
import type { Failure } from "../../spec/failure.ts";
import type { Target } from "../../spec/request.ts";
import { toShortTime, withShortTime } from "./short-time.ts";
import { toDuration, toOneLine } from "./terminal-text.ts";

/** What our own policies do about a run. */
export type PolicyEvent = Retry | Fallback | QueueWait;

/** Who may be asked, in order, and how often each. */
export type Chain = { readonly targets: readonly Target[]; readonly attempts: number };

/** Tells people in one line each why a run is not over yet; knows whose turn it is. */
export class PolicyLines {
  private readonly names: readonly string[];
  private readonly attempts: number;
  private turn = 0;
  private attempt = 1;

  constructor({ targets, attempts }: Chain) {
    this.names = toNames(targets);
    this.attempts = attempts;
  }

  /** The line for the next event. */
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

  /** Who failed last, where several were asked. */
  lastAsked(): string | undefined {
    return this.turn === 0 ? undefined : this.name();
  }

  private name(): string {
    return this.names[this.turn] ?? "";
  }
}

/** The ids, with the models where one provider stands there more than once. */
function toNames(targets: readonly Target[]): readonly string[] {
  const isTold = targets.every(({ provider }, index) => targets.findIndex((other) => other.provider === provider) === index);
  const named = targets.map(({ provider, model }) => (isTold || model === undefined ? provider : `${provider}/${model}`));
  return named.map((name) => toOneLine(name, 60));
}

/** What follows a first sentence is advice, and would stand there again with each attempt. */
const FIRST_SENTENCE = /^.{20,}?[.!?](?=\s+[A-Z])/;

function sentence({ message, code, resetAt }: Failure): string {
  const line = toOneLine(withShortTime(message, resetAt), 160);
  const words = (FIRST_SENTENCE.exec(line)?.[0] ?? line).replace(/\.$/, "");
  const until = resetAt === undefined || message.includes(resetAt) ? "" : ` until ${toShortTime(resetAt)}`;
  return `${words} (${code}${until}).`;
}
