import { expect, it } from "vitest";
import { askPermission, findAnswerer } from "./ask-host.ts";

it("a question without an id is denied with its problem, and the host is not asked", async () => {
  const never = (): never => expect.fail("the host was asked");
  expect(await askPermission({ requestId: "", name: "Bash", input: {} }, never)).toEqual({
    answer: { behavior: "deny", message: "The host could not decide." },
    problem: "The CLI asked whether Bash may run, but without an id, so it may not.",
  });
});

it("a question that nobody decides is denied", async () => {
  const answer = findAnswerer({ requestId: "1", name: "Bash", input: {} }, {});
  expect(await answer?.(new AbortController().signal)).toMatchObject({ answer: { behavior: "deny" } });
});
