import type { PromptRequest } from "../../spec/request.ts";
import { type HookProgram, hookProgram } from "../shared/hook-program.ts";

/**
 * Lets an agent that may edit change files of its directories alone. Qwen Code's own mode (0.15.10, 0.24.4) also writes to whole paths outside, through links, and to the
 * hooks and the configuration of a repository, which git executes.
 */
export function editHook({ cwd = ".", addDirs = [] }: PromptRequest): HookProgram {
  return hookProgram("edit-hook", PROGRAM, { roots: [cwd, ...addDirs] });
}

const PROGRAM = `"use strict";
const fs = require("fs");
const path = require("path");
const { roots } = SETTINGS;
process.exitCode = 2;

function realOf(file) {
  if (fs.lstatSync(file, { throwIfNoEntry: false }) !== undefined) return fs.realpathSync(file);
  return path.join(realOf(path.dirname(file)), path.basename(file));
}

function isInside(file) {
  return roots.some((root) => {
    const parts = path.relative(fs.realpathSync(root), file).split(path.sep);
    return parts[0] !== ".." && !path.isAbsolute(parts.join(path.sep)) && !parts.some((part) => part.toLowerCase() === ".git");
  });
}

const { tool_input } = JSON.parse(fs.readFileSync(0, "utf8"));
const files = [tool_input.file_path, tool_input.notebook_path, tool_input.absolute_path].filter((file) => file !== undefined);
if (files.length > 0 && files.every((file) => path.isAbsolute(file) && isInside(realOf(path.resolve(file))))) process.exitCode = 0;
`;
