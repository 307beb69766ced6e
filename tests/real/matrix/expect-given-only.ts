import { expect } from "vitest";
import type { ModelRequest } from "../../support/real-clis/model-request.ts";
import type { MatrixRow } from "../../support/real-clis/rows/matrix-row.ts";
import { digestOf } from "../large-text.ts";

const LONGEST_SHOWN = 10_000;

/** The caller's texts. */
export type Given = { readonly prompt: string; readonly system?: string };

/** The request contains the caller's texts, the known extra content of this CLI, and no tool; it throws for anything that a new version adds. */
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
