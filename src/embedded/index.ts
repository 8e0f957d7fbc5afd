export { type Cluster, type ClusterOptions, findCluster, type RunningCluster, startCluster } from './cluster.ts';
export { makeHillDatabase, ownerUrl } from './hill-database.ts';
export { freePort } from './ports.ts';
