// PostgreSQL as a child process: what other rooms use of it.
export { type Cluster, findCluster, hasCluster, type RunningCluster, startCluster } from './cluster.ts';
export { freePort } from './ports.ts';
