{{/* The part of a container that the restricted profile asks for. */}}
{{- define "reins.restricted" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{/* The security context of a pod. Takes the user id. */}}
{{- define "reins.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ . }}
runAsGroup: {{ . }}
fsGroup: {{ . }}
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{/* What every pod has. Takes {root, part, user?}. */}}
{{- define "reins.podBasics" -}}
serviceAccountName: {{ include "reins.fullname" .root }}-{{ .part }}
automountServiceAccountToken: false
# Variables for each Service of the namespace would look like settings.
enableServiceLinks: false
securityContext: {{- include "reins.podSecurity" (default 1000 .user) | nindent 2 }}
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets: {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end -}}

{{/* Spreads the pods of one part over zones and nodes. Takes {root, part, pool?, label}. */}}
{{- define "reins.spread" -}}
{{- range $key := list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
- maxSkew: 1
  topologyKey: {{ $key }}
  whenUnsatisfiable: {{ $.root.Values.topologySpread.whenUnsatisfiable }}
  # Without it, the zone of a drained node counts as empty, and its pods stay pending.
  nodeTaintsPolicy: Honor
  matchLabelKeys: [{{ $.label }}]
  labelSelector:
    matchLabels: {{- include "reins.selector" $ | nindent 6 }}
{{- end }}
{{- end -}}

{{/* The probes of a service, which serves /healthz once it has started and /readyz while it takes work. */}}
{{- define "reins.probes" -}}
startupProbe:
  httpGet: { path: /healthz, port: http }
  periodSeconds: 5
  failureThreshold: 60
livenessProbe:
  httpGet: { path: /healthz, port: http }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: { path: /readyz, port: http }
  periodSeconds: 5
  timeoutSeconds: 5
{{- end -}}

{{/* The volumes that every Reins pod has. Takes {root, service}. */}}
{{- define "reins.volumes" -}}
- name: settings
  configMap: { name: {{ include "reins.fullname" .root }}-settings }
- name: tmp
  emptyDir: {}
{{- if eq .root.Values.nats.auth.type "nkeys" }}
- name: nats
  secret:
    secretName: {{ .root.Values.nats.auth.secret }}
    defaultMode: 0440
    # Each service sees its own seed only.
    items: [{ key: {{ .service }}.nk, path: {{ .service }}.nk }]
{{- end }}
{{- end -}}

{{- define "reins.mounts" -}}
- { name: settings, mountPath: /etc/reins/reins.yaml, subPath: reins.yaml, readOnly: true }
- { name: tmp, mountPath: /tmp }
{{- if eq .root.Values.nats.auth.type "nkeys" }}
- { name: nats, mountPath: /etc/reins/nats, readOnly: true }
{{- end }}
{{- end -}}

{{/* A Deployment of a service. Takes {root, name, service, pool?, values, image}. */}}
{{- define "reins.deployment" -}}
{{- $root := .root -}}
{{- $part := dict "root" $root "part" .service "pool" .pool -}}
{{- $isHost := eq .service "harness-host" -}}
{{- $autoscaled := dig "autoscaling" "enabled" false .values -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .name }}
  labels: {{- include "reins.labels" $part | nindent 4 }}
spec:
  {{- if not $autoscaled }}
  replicas: {{ .values.replicas }}
  {{- end }}
  revisionHistoryLimit: 5
  strategy:
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
  selector:
    matchLabels: {{- include "reins.selector" $part | nindent 6 }}
  template:
    metadata:
      labels: {{- include "reins.labels" $part | nindent 8 }}
      annotations:
        checksum/settings: {{ include "reins.settings" $root | sha256sum }}
    spec: {{- include "reins.podBasics" $part | nindent 6 }}
      # The pause process is then process 1, and collects orphans of executors. Node would leave them as zombies.
      shareProcessNamespace: true
      # Longer than the pause before SIGTERM and the time that a service takes to stop.
      terminationGracePeriodSeconds: 45
      topologySpreadConstraints: {{- include "reins.spread" (merge (dict "label" "pod-template-hash") $part) | nindent 8 }}
      {{- with .values.runtimeClassName }}
      runtimeClassName: {{ . }}
      {{- end }}
      {{- with .values.nodeSelector }}
      nodeSelector: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .values.tolerations }}
      tolerations: {{- toYaml . | nindent 8 }}
      {{- end }}
      containers:
        - name: {{ .service }}
          image: {{ .image }}
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          securityContext: {{- include "reins.restricted" . | nindent 12 }}
          ports:
            - { name: http, containerPort: {{ include "reins.port" (dict "name" .service) }} }
          env: {{- include "reins.environment" . | nindent 12 }}
            {{- if has .service (list "gateway" "projector" "memory") }}
            {{- include "reins.databaseEnvironment" $root | nindent 12 }}
            {{- end }}
            {{- if $isHost }}
            {{- include "reins.hostEnvironment" (dict "root" $root "pool" .values) | nindent 12 }}
            {{- end }}
          {{- include "reins.probes" . | nindent 10 }}
          lifecycle:
            # The pod takes new calls until its endpoints are removed. SIGTERM follows the pause.
            preStop:
              sleep: { seconds: 5 }
          resources: {{- include "reins.resources" .values | nindent 12 }}
          volumeMounts: {{- include "reins.mounts" . | nindent 12 }}
            {{- if $isHost }}
            - { name: home, mountPath: /home/reins }
            {{- end }}
      volumes: {{- include "reins.volumes" . | nindent 8 }}
        {{- if $isHost }}
        - name: home
          emptyDir: {}
        {{- end }}
{{- end -}}

{{/* The resources of a container, with the GPUs of a pool. Takes its values. */}}
{{- define "reins.resources" -}}
{{- $resources := deepCopy (default dict .resources) -}}
{{- with .gpu -}}
{{- $limits := merge (dict "nvidia.com/gpu" .) (default dict $resources.limits) -}}
{{- $resources = set $resources "limits" $limits -}}
{{- end -}}
{{- toYaml $resources -}}
{{- end -}}
