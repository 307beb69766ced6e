import type { PromptRequest } from "../../spec/request.ts";
import { CLOSE_INPUT } from "../../spec/wire/define-wire.ts";
import type { Send } from "../../spec/wire/wire.ts";

/** The prompt for a CLI that removes one byte order mark from its input: a byte order mark of the prompt is written twice. */
export function keepByteOrderMark({ prompt }: PromptRequest): readonly Send[] {
  return [{ text: prompt.startsWith("\uFEFF") ? `\uFEFF${prompt}` : prompt }, CLOSE_INPUT];
}
