import { expect, it } from "vitest";
import { failureSentences } from "./create-failure.ts";

it.each([
  ["Credit balance is too low", "Add credit.", "Credit balance is too low. Add credit."],
  ["The token is wrong.", "Send the token.", "The token is wrong. Send the token."],
  ["Are you logged in?", "Log in.", "Are you logged in? Log in."],
  ["Not logged in", "", "Not logged in"],
])("%s | %s", (message, hint, sentences) => {
  expect(failureSentences({ message, hint })).toBe(sentences);
});
