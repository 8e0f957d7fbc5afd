export { type Cluster, findCluster, type RunningCluster, startCluster } from './cluster.ts';
export { freePort } from './ports.ts';
