import { sendLine } from "../../dialects/kit/lines.ts";
import { type JsonObject, type JsonValue, objectOf, stringOf } from "../../spec/json.ts";
import type { Send } from "../../spec/wire/wire.ts";

const ANNOUNCEMENT = "coxswain-trial ";

/**
 * The hooks of Coxswain's plugin that take a trial prompt: they announce a random text, and the first prompt with this text is
 * dropped before it is part of the conversation. If hooks are switched off, nothing is announced.
 */
export const TRIAL_HOOKS: readonly string[] = [
  "let trial = globalThis.crypto.randomUUID();",
  `on("session.start", ($, e, next) => { $.ui.log("${ANNOUNCEMENT}" + trial); return next(e); });`,
  'on("prompt.submit", ($, e, next) => { if (e.text !== trial) return next(e); trial = undefined; return { drop: "trial" }; });',
];

/**
 * A prompt that a waiting process of Claude Code drops. It runs the code of a turn for the first time, up to the request to the model,
 * so that the next turn takes less time. It is sent only to a process whose plugin has announced that it will drop it.
 */
export class TrialPrompt {
  private text: string | undefined;
  private wasDropped = false;
  private state: "unsent" | "sent" | "over" = "unsent";

  /** True while the process reads the trial prompt; another prompt would be joined with it. */
  isOpen(): boolean {
    return this.state === "sent";
  }

  /** Returns the trial prompt, once; nothing if it was not announced. */
  send(): readonly Send[] {
    if (this.state !== "unsent" || this.text === undefined) return [];
    this.state = "sent";
    return [sendLine({ type: "user", message: { role: "user", content: this.text } })];
  }

  /** True if the line is the announcement of the plugin. */
  readAnnouncement(native: JsonValue): boolean {
    const line = objectOf(native) ?? {};
    const text = stringOf(line["text"]) ?? "";
    if (!isSystem(line, "ui_log") || !text.startsWith(ANNOUNCEMENT)) return false;
    this.text ??= text.slice(ANNOUNCEMENT.length);
    return true;
  }

  /** True if the line belongs to the trial prompt; its `result` ends it. Any line that shows that the prompt was not dropped does not. */
  read(native: JsonValue): boolean {
    if (this.state !== "sent") return false;
    const line = objectOf(native) ?? {};
    if (isSystem(line, "init")) return true;
    if (isSystem(line, "informational")) {
      const outcome = objectOf(line["prompt_submit_outcome"]);
      this.wasDropped ||= outcome?.["kind"] === "dropped_by_hook" && outcome["prompt_kept"] === false;
      return this.wasDropped;
    }
    if (line["type"] !== "result" || !this.wasDropped) return false;
    this.state = "over";
    return true;
  }
}

function isSystem(line: JsonObject, subtype: string): boolean {
  return line["type"] === "system" && line["subtype"] === subtype;
}
