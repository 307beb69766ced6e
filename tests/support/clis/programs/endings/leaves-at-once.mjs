// Ends before it reads or prints anything.
process.exit(0);
