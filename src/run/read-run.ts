import { createFailure } from "../spec/create-failure.ts";
import type { Provider } from "../spec/provider.ts";
import type { PromptRequest } from "../spec/request.ts";
import type { RunContext, RunStream } from "../spec/stream.ts";
import type { Reader } from "../tools/open-reader.ts";
import { type Telling, toPromptRequest } from "../tools/to-prompt.ts";
import { toCorrection } from "./correction.ts";
import { type Pass, PassReader } from "./pass-reader.ts";
import { CANCELLED } from "./refused-run.ts";
import { Relay, type RelayParts } from "./relay.ts";

/** What a run with host tools or a schema is made of. */
export type ReadRunParts = RelayParts & {
  readonly provider: Provider;
  readonly context: RunContext;
  readonly telling: Telling;
  /** Starts one call of the CLI. */
  readonly start: (request: PromptRequest) => RunStream;
};

/** A run whose answer is read: for calls of host tools, for a structured value, or both. What cannot be used goes back once. */
export class ReadRun {
  readonly stream: RunStream;
  private readonly parts: ReadRunParts;
  private readonly relay: Relay;
  private inner: RunStream | undefined;
  private isCancelled = false;
  private readonly startedAt = performance.now();

  constructor(parts: ReadRunParts) {
    this.parts = parts;
    this.relay = new Relay(parts, { keepEvents: parts.context.keepEvents === true, cancel: this.cancel });
    this.stream = this.relay.stream;
    void this.drive().catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      this.relay.fail(createFailure("unclassified", `The answer could not be read: ${why}`));
    });
  }

  private readonly cancel = (): void => {
    this.isCancelled = true;
    this.inner?.interrupt();
  };

  /** The readers bring libraries along that plain runs do without, so they are loaded here. */
  private async drive(): Promise<void> {
    const { request, telling } = this.parts;
    const { findSchemaProblem, openReader } = await import("../tools/open-reader.ts");
    const unusable = findSchemaProblem([request.outputSchema, ...(request.tools ?? []).map(({ parameters }) => parameters)]);
    if (unusable !== undefined) {
      return this.relay.fail(createFailure("schema-unreadable", `A schema of the request cannot be used: ${unusable}`));
    }
    if (this.isCancelled) return this.relay.fail(CANCELLED);
    const reader = openReader(request, telling.schemaPlace);
    const first = await this.pass(reader, toPromptRequest(request, telling));
    if (first.problems.length === 0 || first.end?.failure !== undefined || !this.mayAskAgain()) return this.finish(first);
    const code = first.wanted === "calls" ? "tool-call-corrected" : "object-corrected";
    this.relay.add({ type: "warning", code, message: first.problems.join(" ") });
    this.finish(await this.pass(reader, this.withTimeLeft(toCorrection(request, telling, first))));
  }

  /** What an agent has done cannot be done again only because it told of it in the wrong form. */
  private mayAskAgain(): boolean {
    return this.parts.request.mode !== "agent" && !this.isCancelled;
  }

  private withTimeLeft(request: PromptRequest): PromptRequest {
    const totalMs = request.timeouts?.totalMs;
    if (totalMs === undefined) return request;
    const left = Math.max(1, Math.round(totalMs - (performance.now() - this.startedAt)));
    return { ...request, timeouts: { ...request.timeouts, totalMs: left } };
  }

  private async pass(reader: Reader, request: PromptRequest): Promise<Pass> {
    const pass = new PassReader(reader, this.relay);
    this.relay.beginCall();
    this.inner = this.parts.start(request);
    for await (const batch of this.inner.batches()) {
      for (const event of batch) pass.take(event);
      // What came with the end goes along with ours, so that nobody takes a finished answer for an unfinished one.
      if (batch.at(-1)?.type !== "run-end") this.relay.flush();
    }
    return pass.result();
  }

  private finish({ end, calls, problems, wanted, answerId, said }: Pass): void {
    if (end === undefined || end.failure !== undefined) {
      const failure = end?.failure ?? createFailure("no-terminal-event", "The run ended without a run-end event.");
      return this.relay.fail(failure, end?.finish);
    }
    if (this.isCancelled) return this.relay.fail(CANCELLED);
    if (problems.length > 0) {
      const message = `${this.parts.provider.label} gave an invalid answer: ${problems.join(" ")}`;
      const code = wanted === "calls" ? "tool-call-unreadable" : "schema-mismatch";
      return this.relay.fail(createFailure(code, message, { partialText: said }));
    }
    for (const { id, name, args } of calls) this.relay.add({ type: "tool-call", id, name, input: args, executor: "host" });
    this.relay.end(calls.length > 0 ? "tool-calls" : end.finish, answerId);
  }
}
