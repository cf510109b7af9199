{{/* The prefix of every name: the release, with the name of the chart unless the release contains it. */}}
{{- define "reins.fullname" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* The labels that select all pods of a release. */}}
{{- define "reins.release" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{/* The labels that select the pods of one part. Takes {root, part, pool?}. */}}
{{- define "reins.selector" -}}
{{ include "reins.release" .root }}
app.kubernetes.io/component: {{ .part }}
{{- with .pool }}
reins/pool: {{ . }}
{{- end }}
{{- end -}}

{{/* All labels of an object. Takes {root, part, pool?}. */}}
{{- define "reins.labels" -}}
{{ include "reins.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end -}}

{{/* The image of a service. Takes {root, name}. */}}
{{- define "reins.image" -}}
{{- $image := .root.Values.image -}}
{{- $parts := list $image.registry $image.repository .name | compact -}}
{{- printf "%s:%s" (join "/" $parts) (default .root.Chart.AppVersion $image.tag) -}}
{{- end -}}

{{/* The port of each service: http.portBase and its place in the list of services. */}}
{{- define "reins.ports" -}}
gateway: 7420
plan-compiler: 7421
runner-prep: 7422
control-bus: 7423
harness-host: 7424
projector: 7425
narrator: 7426
memory: 7427
{{- end -}}

{{/* The port of one service. Takes {name}. */}}
{{- define "reins.port" -}}
{{- index (include "reins.ports" . | fromYaml) .name -}}
{{- end -}}
