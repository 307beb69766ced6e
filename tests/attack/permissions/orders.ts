import { type JsonObject, type JsonValue, listOf, objectOf, stringOf } from "../../../src/spec/json.ts";
import type { FakeAnswer, FakeApiRequest, FakeToolCall } from "../../../src/testing/index.ts";
import { readModelRequest } from "../../support/real-clis/model-request.ts";
import type { AttackPlace } from "./place.ts";
import { type CallPlace, markOf, type Step, type Trick } from "./trick.ts";

/** Stands in the prompt of the run, so that requests of sub-agents can be told apart. */
export const MAIN_PROMPT = "ORDER-MAIN: do it.";

/** The prompt of a sub-agent. */
export function subPrompt(index: number): string {
  return `ORDER-SUB-${index}-END: do it.`;
}

/** Gives the next answer's tricks for a request, or nothing at the end. */
export type NextStep = (request: FakeApiRequest) => Step | undefined;

/** What the fake model says: the steps of the run and those of its sub-agents. */
export type Script = { readonly main: NextStep; readonly subs?: readonly (readonly Step[])[] };

/** A fake model that orders tricks. */
export class Orders {
  /** The tricks whose calls were sent, in order. */
  readonly sent: Trick[] = [];
  /** True when the model has nothing more to order. */
  finished = false;
  private readonly subs: NextStep[];
  private readonly script: Script;
  private readonly place: AttackPlace;
  private readonly toFile: (trick: Trick) => string;

  constructor(script: Script, place: AttackPlace, toFile: (trick: Trick) => string) {
    this.script = script;
    this.place = place;
    this.toFile = toFile;
    this.subs = (script.subs ?? []).map(inTurn);
  }

  /** The answer to a request; those without tools are questions of the CLI itself, such as for a title. */
  readonly answer = (request: FakeApiRequest): FakeAnswer => {
    const { tools, user } = readModelRequest(request);
    if (tools.length === 0) return { kind: "text", text: answerAside(request) };
    const isMain = user.some((text) => text.includes(MAIN_PROMPT));
    const step = isMain ? this.script.main(request) : this.nextOfSub(user, request);
    if (step === undefined || step.length === 0) {
      if (isMain) this.finished = true;
      return { kind: "text", text: "Done." };
    }
    this.sent.push(...step);
    return { kind: "tool-calls", calls: step.map((trick) => this.toCall(trick, request)) };
  };

  private nextOfSub(user: readonly string[], request: FakeApiRequest): Step | undefined {
    const index = user.map((text) => /ORDER-SUB-(\d+)-END/.exec(text)?.[1]).find((found) => found !== undefined);
    return index === undefined ? undefined : this.subs[Number(index)]?.(request);
  }

  private toCall(trick: Trick, request: FakeApiRequest): FakeToolCall {
    const { root, workspace, outside, home, temporary } = this.place;
    const place: CallPlace = {
      file: this.toFile(trick),
      mark: markOf(trick),
      root,
      workspace,
      outside,
      home,
      temporary,
      request,
    };
    return withPlans(trick.toCall(place), request);
  }
}

/** The steps one after the other. */
export function inTurn(steps: readonly Step[]): NextStep {
  let next = 0;
  return () => steps[next++];
}

/** Gemini asks from time to time whether its model goes in circles, and waits for an answer of its schema. */
function answerAside({ body }: FakeApiRequest): string {
  const schema = objectOf(objectOf(objectOf(body)?.["generationConfig"])?.["responseJsonSchema"]);
  if (schema === undefined) return "A title";
  const properties = Object.entries(objectOf(schema["properties"]) ?? {});
  return JSON.stringify(Object.fromEntries(properties.map(([name, property]) => [name, nothingOf(objectOf(property))])));
}

function nothingOf(schema: JsonObject | undefined): JsonValue {
  const type = stringOf(schema?.["type"])?.toLowerCase();
  if (type === "number" || type === "integer") return 0;
  if (type === "boolean") return false;
  return stringOf(listOf(schema?.["enum"])[0]) ?? "none";
}

/** A CLI tells its model where plans are written; a call names that folder as `{PLANS}`. */
function withPlans(call: FakeToolCall, { rawBody }: FakeApiRequest): FakeToolCall {
  const text = JSON.stringify(call);
  if (!text.includes("{PLANS}")) return call;
  const folder = /\/[^"\\\s`]*\/plans\b/.exec(rawBody)?.[0] ?? "plans";
  return JSON.parse(text.replaceAll("{PLANS}", stringOf(folder) ?? "plans"));
}
