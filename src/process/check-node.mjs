// process/check-node.mjs · preloaded before anything else. Plain old JavaScript: a Node that is too old for the rest must still be able to read this.

var parts = process.versions.node.split('.').map(Number);

if (parts[0] < 22 || (parts[0] === 22 && parts[1] < 18)) {
  console.error(
    'Hill needs Node 22.18 or newer, and this is ' +
      process.version +
      ' because the pinned Node was left out of node_modules: run "npm ci --include=optional", or install a newer Node. ' +
      '(It is made for Linux with glibc and for macOS, on x64 and arm64; on musl, as in Alpine, install Node yourself.)',
  );
  process.exit(1);
}

// Graphile's libraries read this when they are imported, and complain where it is missing.
process.env.GRAPHILE_ENV = process.env.GRAPHILE_ENV || 'production';
