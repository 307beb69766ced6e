import { expect, it } from "vitest";
import { launchClaude } from "./launch.ts";

it("the plan mode follows no rules of the auto mode", () => {
  const request = { prompt: "hi", mode: "agent", permissions: { mode: "plan" } } as const;
  const { tempFiles = [] } = launchClaude(request, { answersPermissions: false });
  expect(tempFiles.map(({ content }): unknown => JSON.parse(content))).toEqual([{ useAutoModeDuringPlan: false }]);
});
