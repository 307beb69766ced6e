import { expect, it } from "vitest";
import { copilot } from "../copilot/provider.ts";
import { gemini } from "../gemini/provider.ts";
import { qwen } from "../qwen/provider.ts";

it.each([gemini, qwen, copilot])(
  "$id refuses a pattern that denies a part of the allowed commands, because quotes get past it",
  (provider) => {
    const permissions = { mode: "dont-ask", allow: ["Bash(git *)"], deny: ["Bash(git push *)"] } as const;
    const refusal = provider.refuse?.({ prompt: "x", mode: "agent", permissions }, {});
    expect(refusal).toMatchObject({ code: "option-unsupported", message: expect.stringContaining("git push *") });
    const allowOnly = { mode: "dont-ask", allow: ["Bash(git *)"] } as const;
    expect(provider.refuse?.({ prompt: "x", mode: "agent", permissions: allowOnly }, {})).toBeUndefined();
  },
);
