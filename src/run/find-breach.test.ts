import { expect, it } from "vitest";
import { claude } from "../clis/claude/provider.ts";
import { findBreach } from "./find-breach.ts";

const context = (resume: string) =>
  ({ provider: claude, request: { prompt: "Hello", session: { resume } }, toolName: () => undefined }) as const;

it("a CLI that starts another session than the one asked for does not know it; the case of letters does not matter", () => {
  const event = { type: "session-start", sessionId: "abc-1" } as const;
  expect(findBreach(event, context("other-2"))).toMatchObject({ code: "session-unknown" });
  expect(findBreach(event, context("ABC-1"))).toBeUndefined();
});
