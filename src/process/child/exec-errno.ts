import { accessSync, closeSync, constants, openSync, readSync, statSync } from "node:fs";
import { thrownCode } from "../../spec/failure/thrown.ts";

/** Linux follows this many interpreters of interpreters. */
const MOST_INTERPRETERS = 5;

/**
 * The errno with which the system would refuse to execute a file with a path: it is missing, is not executable, or its interpreter is (that of
 * a script, or the loader of a program that was built for another C library). Undefined if nothing speaks against it.
 */
export function execErrno(path: string, depth = 0): string | undefined {
  if (!path.includes("/")) return undefined;
  try {
    accessSync(path, constants.X_OK);
    if (!statSync(path).isFile()) return "EACCES";
  } catch (error) {
    return thrownCode(error) ?? "ENOENT";
  }
  const interpreter = interpreterOf(path);
  return interpreter === undefined || depth >= MOST_INTERPRETERS ? undefined : execErrno(interpreter, depth + 1);
}

/** The head of a program has its program headers, and those name its loader. */
const HEAD_BYTES = 4096;

function interpreterOf(path: string): string | undefined {
  const head = readHead(path);
  if (head.toString("latin1", 0, 2) === "#!") return /^#![ \t]*([^ \t\n\0]+)/.exec(head.toString("utf8"))?.[1];
  return head.readUInt32BE(0) === ELF ? loaderIn(head) : undefined;
}

const ELF = 0x7f454c46;
/** The header that names the loader (PT_INTERP). */
const LOADER = 3;

/** Reads only programs of 64 bits with the low byte first, as all are that Node supports on Linux but those of s390x. */
function loaderIn(head: Buffer): string | undefined {
  if (head[4] !== 2 || head[5] !== 1) return undefined;
  const [first, size, count] = [Number(head.readBigUInt64LE(32)), head.readUInt16LE(54), head.readUInt16LE(56)];
  for (let at = first; at < first + size * count && at + 40 <= head.length; at += size) {
    if (head.readUInt32LE(at) !== LOADER) continue;
    const offset = Number(head.readBigUInt64LE(at + 8));
    const end = head.indexOf(0, offset);
    return end === -1 ? undefined : head.toString("utf8", offset, end);
  }
  return undefined;
}

/** A program may be executable and not readable; then its head is empty. */
function readHead(path: string): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    readSync(file, head, 0, HEAD_BYTES, 0);
  } catch {
    // The system needs no permission to read a file in order to execute it.
  } finally {
    if (file !== undefined) closeSync(file);
  }
  return head;
}
