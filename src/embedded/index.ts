export { type Cluster, type ClusterOptions, findCluster, type RunningCluster, startCluster } from './cluster.ts';
export { freePort } from './ports.ts';
