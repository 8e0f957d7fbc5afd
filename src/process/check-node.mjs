// Loaded first, to refuse a Node that is too old and to keep what it compiles. In old JavaScript, which such a Node can
// still read.
import module from 'node:module';

var parts = process.versions.node.split('.').map(Number);

if (parts[0] < 22 || (parts[0] === 22 && parts[1] < 18)) {
  console.error(
    'Hill needs Node 22.18 or newer, and this is ' +
      process.version +
      '. The Node that npm brings was left out of node_modules: run "npm ci --include=optional", or install a newer Node. ' +
      '(npm brings it for Linux with glibc and for macOS, on x64 and arm64. On musl, such as Alpine, install Node yourself.)',
  );
  process.exit(1);
}

// Types taken out and code compiled: the next process loads in half the time. NODE_COMPILE_CACHE names another folder;
// where none can be written to, this does nothing.
module.enableCompileCache(decodeURIComponent(new URL('../../node_modules/.cache/hill', import.meta.url).pathname));

// Graphile's libraries read this when they are imported, and warn if it is missing.
process.env.GRAPHILE_ENV = process.env.GRAPHILE_ENV || 'production';
