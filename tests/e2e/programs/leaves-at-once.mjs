// Ends before reading or saying anything.
process.exit(0);
