#!/usr/bin/env node
// An old Node must get as far as the check: what is newer than ES2015 is in files that are imported after it.
import { unsupportedNodeMessage } from "./node-version.js";

const problem = unsupportedNodeMessage(process.versions.node);
if (problem === undefined) {
  import("./start.js").catch((error) => fail(`cox cannot be loaded: ${error.message}`));
} else {
  fail(problem);
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}
