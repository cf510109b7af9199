/** The versions of Kubernetes that the chart is checked against, oldest first. */
export declare const KUBERNETES_VERSIONS: readonly string[];
/** The paths of the tools below the root of a repository. */
export declare function chartTools(root: string): {
  readonly helm: string;
  readonly kubeconform: string;
  readonly schemas: string;
};
