import type { Refusal } from "../../spec/provider/provider.ts";
import type { PromptRequest } from "../../spec/request.ts";

/** Refuses the mode accept-edits, for a CLI whose tools also write outside of the working directory; `reason` is what was measured. */
export function refuseEdits(
  { permissions = {} }: PromptRequest,
  { label, reason }: { readonly label: string; readonly reason: string },
): Refusal | undefined {
  if (permissions.mode !== "accept-edits") return undefined;
  return {
    code: "option-unsupported",
    message: `${label} cannot keep to the mode accept-edits: ${reason}`,
    hint: "Allow Edit and Write by name, if files outside of the working directory may change too, or use claude, gemini, qwen, copilot or codex.",
  };
}
