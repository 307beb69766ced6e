import type { Answering } from "../doors/answer-part.ts";
import type { FailureCode } from "../spec/failure/failure-codes.ts";
import { defined } from "../spec/json.ts";
import type { RunResult } from "../spec/result.ts";

/** What is known about a request that has ended: no prompt, no answer, no header. */
export type RequestEntry = {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  /** The bytes of the body, if it was read. */
  readonly bodyBytes?: number;
  /** The model as the client named it, up to 500 characters. */
  readonly asked?: string;
  /** The provider and the model that answered or failed last. */
  readonly provider?: string;
  readonly model?: string;
  readonly attempts?: number;
  readonly isWarm?: boolean;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** Why no answer, or only a part of it, was sent. */
  readonly failure?: FailureCode;
};

/** No longer name is that of a model; a client could have written a prompt in its place. */
const LONGEST_NAME = 500;

type Facts = Omit<RequestEntry, "method" | "path" | "status" | "ms">;

export class RequestRecord {
  private readonly method: string;
  private readonly path: string;
  private readonly report: (entry: RequestEntry) => void;
  private readonly startedAt = performance.now();
  private facts: Facts = {};
  private isReported = false;
  private onEnd: () => void = () => {};
  /** True if the response goes on after its head; its stream then ends the record. */
  isStream = false;

  constructor(method: string, path: string, report: (entry: RequestEntry) => void) {
    this.method = method;
    this.path = path;
    this.report = report;
  }

  whenEnded(listener: () => void): void {
    this.onEnd = listener;
  }

  read(bodyBytes: number): void {
    this.facts = { ...this.facts, bodyBytes };
  }

  asks(model: string): void {
    this.facts = { ...this.facts, asked: model.slice(0, LONGEST_NAME) };
  }

  failed(failure: FailureCode): void {
    this.facts = { ...this.facts, failure };
  }

  answered({ provider, model, attempt, isWarm }: Answering, result: RunResult | undefined): void {
    const { inputTokens, outputTokens } = result?.usage ?? {};
    this.facts = {
      ...this.facts,
      ...defined({ provider, model }),
      attempts: attempt,
      isWarm,
      ...defined({ inputTokens, outputTokens }),
      ...(result?.failure !== undefined && { failure: result.failure.code }),
    };
  }

  end(status: number): void {
    if (this.isReported) return;
    this.isReported = true;
    this.onEnd();
    const ms = Math.round(performance.now() - this.startedAt);
    this.report({ method: this.method, path: this.path, status, ms, ...this.facts });
  }
}
