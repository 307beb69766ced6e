import type { PromptRequest } from "../spec/request.ts";

/** The names of tools that only read begin with one of these words, in every CLI; a tool of a server may do anything. */
const READS = /^(?:read|view|glob|grep|ls|list|search|web|notebookread|codesearch|google_web_search)/i;

/**
 * True if the CLI of a request may create files for the user: an agent whose mode or allowed tools let it write, and one whose host answers
 * its questions.
 */
export function mayWrite({ mode, permissions = {} }: PromptRequest, answersPermissions: boolean): boolean {
  if (mode !== "agent" || permissions.mode === "plan") return false;
  if (permissions.mode === "accept-edits" || permissions.mode === "bypass") return true;
  if (answersPermissions && permissions.mode !== "dont-ask") return true;
  return (permissions.allow ?? []).some((entry) => !READS.test(entry));
}
