import { expect, test } from "vitest";
import { surroundingHosts } from "./surrounding-hosts.ts";

const PROCESSES = [
  { pid: 1, parentPid: 0, run: undefined },
  { pid: 10, parentPid: 1, run: "first.7" },
  { pid: 11, parentPid: 10, run: "first.7" },
  { pid: 12, parentPid: 11, run: "second.1" },
  { pid: 13, parentPid: 12, run: undefined },
  { pid: 90, parentPid: 1, run: "other.1" },
];

test("names each program once: that of the own marker, and those of the processes above", () => {
  expect(surroundingHosts({}, PROCESSES, 1)).toEqual([]);
  expect(surroundingHosts({ COXSWAIN_RUN: "first.8" }, PROCESSES, 11)).toEqual(["first"]);
  expect(surroundingHosts({}, PROCESSES, 13)).toEqual(["second", "first"]);
});

test("ends at a process that is unknown, or above itself", () => {
  expect(surroundingHosts({ COXSWAIN_RUN: "own.1" }, [], 13)).toEqual(["own"]);
  expect(surroundingHosts({}, [{ pid: 5, parentPid: 5, run: "a.1" }], 5)).toEqual(["a"]);
});
