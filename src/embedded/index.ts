// embedded/index.ts · PostgreSQL as a child process: what other rooms use of it.
export { type Cluster, type ClusterOptions, findCluster, type RunningCluster, startCluster } from './cluster.ts';
export { freePort } from './ports.ts';
