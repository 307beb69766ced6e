import type { TempFile } from "../../spec/provider/launch-plan.ts";

/**
 * A script for `NODE_OPTIONS` that disables the tools of a CLI that runs in Node and has no switch for them. The process
 * can start no program, and of the file system it sees only its own code and, for its settings, its home and its directory.
 */
export const TOOLS_OFF: TempFile = {
  name: "tools-off.cjs",
  content: `"use strict";
const fs = require("fs");
const child = require("child_process");
const { dirname, resolve, sep } = require("path");
const { fileURLToPath } = require("url");

const off = () => {
  throw new Error("The tools of this CLI are switched off.");
};
const home = process.env.HOME || process.env.USERPROFILE || process.cwd();
const program = process.argv[1] ? dirname(dirname(fs.realpathSync(process.argv[1]))) : process.cwd();
const isIn = (folder, path) => path === folder || path.startsWith(folder + sep);
const isCode = (path) => isIn(program, path) || path.includes(sep + "node_modules" + sep);
const isOwn = (path) => isCode(path) || isIn(home, path) || isIn(process.cwd(), path);
const toPath = (place) => {
  if (typeof place === "number") return program;
  return resolve(place instanceof URL ? fileURLToPath(place) : String(place));
};

function guard(owner, name, isAllowed) {
  const original = owner[name];
  if (typeof original !== "function" || !/^[a-z]/.test(name)) return;
  const guarded = (place, ...rest) => (isAllowed(toPath(place)) ? original.call(owner, place, ...rest) : off());
  owner[name] = Object.assign(guarded, original);
}

for (const name of Object.keys(child)) if (typeof child[name] === "function") child[name] = off;
for (const name of Object.keys(fs.promises)) guard(fs.promises, name, isCode);
for (const name of Object.keys(fs)) {
  if (name.endsWith("Sync")) guard(fs, name, isOwn);
  else if (name + "Sync" in fs || /^(?:create\\w+Stream|openAsBlob|watch\\w*)$/.test(name)) guard(fs, name, isCode);
}
require("module").syncBuiltinESMExports();
`,
};
