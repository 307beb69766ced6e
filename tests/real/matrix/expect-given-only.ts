import { expect } from "vitest";
import type { MatrixRow } from "../clis/matrix-row.ts";
import { digestOf } from "../large-text.ts";
import type { ModelRequest } from "../model-request.ts";

const LONGEST_SHOWN = 10_000;

/** What the caller gave. */
export type Given = { readonly prompt: string; readonly system?: string };

/** The request holds what the caller gave, the known rest of this CLI, and no tool; anything that a new version adds fails here. */
export function expectGivenOnly({ pure }: MatrixRow, request: ModelRequest, { prompt, system }: Given): void {
  const { front = /^/, user = (text: string) => [text], tools = [] } = pure;
  const said = request.user.map((text, index) => shorten(index < request.user.length - 1 ? text : text.replace(front, "")));
  expect(said).toEqual(user(prompt).map(toMatcher));
  expect(request.system.map(shorten)).toEqual(pure.system(system).map(toMatcher));
  expect(request.tools).toEqual(tools);
}

function toMatcher(text: string | RegExp): unknown {
  return typeof text === "string" ? shorten(text) : expect.stringMatching(text);
}

function shorten(text: string): string {
  return text.length <= LONGEST_SHOWN ? text : `${text.length} characters ${digestOf(text)}`;
}
