// Answers with the type, mode, link count and owner of its stdout.
import { fstatSync } from "node:fs";
import { answer, print } from "../claude-lines.mjs";

const { mode, nlink, uid } = fstatSync(1);
print(
  ...answer(JSON.stringify({ isFile: fstatSync(1).isFile(), mode: mode & 0o777, names: nlink, isOwn: uid === process.getuid() })),
);
