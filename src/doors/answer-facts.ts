import type { RunEvent } from "../spec/events.ts";
import type { RunWarning } from "../spec/result.ts";
import type { AnswerPart } from "./answer-part.ts";

/** The target that answers, as far as it is known; `attempt` counts from 1, and 0 means that no attempt began. */
export type Answering = {
  readonly provider?: string;
  readonly model?: string;
  readonly attempt: number;
  readonly isWarm: boolean;
};

/** What the events of a run say besides its text: which target answers, its warnings, and the tools that the CLI runs itself. */
export class AnswerFacts {
  answering: Answering = { attempt: 0, isWarm: false };
  readonly warnings: RunWarning[] = [];
  /** The fields of the request that a provider left out, by provider: it says so once, at its first attempt. */
  private readonly leftOut = new Map<string | undefined, string[]>();
  /** The ids of calls that the CLI makes itself and that have not ended. */
  private readonly open = new Set<string>();
  private readonly hidden: readonly string[];

  /** The calls of the hidden tools are no parts. */
  constructor(hidden: readonly string[] = []) {
    this.hidden = hidden;
  }

  /** The fields of the request that the answering provider left out. */
  get ignored(): readonly string[] {
    return this.leftOut.get(this.answering.provider) ?? [];
  }

  /** Notes the event; returns the part of a tool that the CLI runs itself. */
  see(event: RunEvent): AnswerPart | undefined {
    switch (event.type) {
      case "attempt-start": {
        const { provider, model, attempt, warm } = event;
        this.answering = { provider, ...(model !== undefined && { model }), attempt, isWarm: warm };
        return undefined;
      }
      case "session-start":
        if (event.model !== undefined) this.answering = { ...this.answering, model: event.model };
        return undefined;
      case "warning":
        this.warnings.push({ code: event.code, message: event.message });
        if (event.setting !== undefined) this.leftOut.set(this.answering.provider, [...this.ignored, event.setting]);
        return undefined;
      case "tool-call":
        if (event.executor === "host" || this.hidden.includes(event.name)) return undefined;
        this.open.add(event.id);
        return { type: "cli-call", id: event.id, name: event.name, input: event.input };
      case "tool-end": {
        const { id, name, output, isError } = event;
        return this.open.delete(id) ? { type: "cli-result", id, name, output, isError } : undefined;
      }
      default:
        return undefined;
    }
  }
}
