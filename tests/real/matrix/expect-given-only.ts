import { expect } from "vitest";
import type { MatrixRow } from "../clis/matrix-row.ts";
import { digestOf } from "../large-text.ts";
import type { ModelRequest } from "../model-request.ts";

const LONGEST_SHOWN = 10_000;

/** What the caller gave. */
export type Given = { readonly prompt: string; readonly system?: string };

/** The request holds what the caller gave, the known rest of this CLI, and no tool; anything that a new version adds fails here. */
export function expectGivenOnly({ pure, changedPrompts }: MatrixRow, request: ModelRequest, { prompt, system }: Given): void {
  const { before = [], front = /^/ } = pure;
  const said = request.user.map((text, index) => shorten(index < request.user.length - 1 ? text : text.replace(front, "")));
  const sent = changedPrompts?.sent(prompt) ?? prompt;
  expect(said).toEqual([...before.map((text) => expect.stringMatching(text)), shorten(sent)]);
  expect(request.system).toEqual(
    pure.system(system).map((text) => (typeof text === "string" ? text : expect.stringMatching(text))),
  );
  expect(request.tools).toEqual([]);
}

function shorten(text: string): string {
  return text.length <= LONGEST_SHOWN ? text : `${text.length} characters ${digestOf(text)}`;
}
