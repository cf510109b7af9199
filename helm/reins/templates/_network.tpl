{{/* Selects the pods of some parts of the release. Takes {root, parts}. */}}
{{- define "reins.partsIn" -}}
matchLabels: {{- include "reins.release" .root | nindent 2 }}
matchExpressions:
  - { key: app.kubernetes.io/component, operator: In, values: {{ toJson .parts }} }
{{- end -}}

{{/* TCP ports of a policy. Takes a list of numbers. */}}
{{- define "reins.policyPorts" -}}
{{- range . }}
- { protocol: TCP, port: {{ . }} }
{{- end }}
{{- end -}}

{{/* The start of a policy. Takes {root, name}. */}}
{{- define "reins.policyHead" -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ include "reins.fullname" .root }}-{{ .name }}
  labels: {{- include "reins.labels" (dict "root" .root "part" "network") | nindent 4 }}
{{- end -}}
