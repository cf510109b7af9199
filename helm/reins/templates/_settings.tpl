{{/* The address of NATS. */}}
{{- define "reins.natsUrl" -}}
{{- if eq .Values.nats.mode "external" -}}
{{- .Values.nats.external.url -}}
{{- else -}}
nats://{{ include "reins.fullname" . }}-nats:4222
{{- end -}}
{{- end -}}

{{/* reins.yaml: the settings of the installation, and what the chart knows. It contains no secrets. */}}
{{- define "reins.settings" -}}
{{- include "reins.check" . -}}
{{- $managed := ternary .Values.nats.external.managed "self" (eq .Values.nats.mode "external") -}}
{{- $nats := dict "url" (include "reins.natsUrl" .) "replicas" .Values.nats.replicas "managed" $managed -}}
{{- $runtimes := list -}}
{{- range .Values.hostPools -}}{{- $runtimes = concat $runtimes .runtimes -}}{{- end -}}
{{- $own := dict "nats" $nats "http" (dict "host" "0.0.0.0") "host" (dict "runtimes" ($runtimes | uniq | sortAlpha)) -}}
{{- mergeOverwrite (deepCopy .Values.settings) $own | toYaml -}}
{{- end -}}

{{/* Fails if a provider names a variable that no host has, or if two pools have the same name. */}}
{{- define "reins.check" -}}
{{- $names := dict -}}
{{- range .Values.hostPools -}}
{{- if hasKey $names .name -}}
{{- fail (printf "hostPools has the name %s twice" .name) -}}
{{- end -}}
{{- $_ := set $names .name true -}}
{{- end -}}
{{- range $id, $provider := .Values.settings.providers -}}
{{- $name := or (dig "apiKeyEnv" "" (default dict $provider)) (dig "api_key_env" "" (default dict $provider)) -}}
{{- if and $name (not (hasKey $.Values.hostSecrets $name)) -}}
{{- fail (printf "settings.providers.%s.api_key_env names %s, which hostSecrets does not have" $id $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* One environment variable with the value of a Secret. Takes {name, secret, key}. */}}
{{- define "reins.secretVariable" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef:
      name: {{ .secret }}
      key: {{ .key }}
{{- end -}}

{{/* The variables that every Reins container has. Takes {root, service}. */}}
{{- define "reins.environment" -}}
{{- $auth := .root.Values.nats.auth -}}
- name: NODE_ENV
  value: production
- name: REINS_CONFIG
  value: /etc/reins/reins.yaml
{{- if eq $auth.type "token" }}
{{ include "reins.secretVariable" (dict "name" "REINS_NATS_TOKEN" "secret" $auth.secret "key" "token") }}
{{- else if eq $auth.type "password" }}
{{ include "reins.secretVariable" (dict "name" "REINS_NATS_USER" "secret" $auth.secret "key" "user") }}
{{ include "reins.secretVariable" (dict "name" "REINS_NATS_PASSWORD" "secret" $auth.secret "key" "password") }}
{{- else if eq $auth.type "credentials" }}
{{ include "reins.secretVariable" (dict "name" "REINS_NATS_CREDENTIALS" "secret" $auth.secret "key" "credentials") }}
{{- else if eq $auth.type "nkeys" }}
- name: REINS_NATS_USERS_DIR
  value: /etc/reins/nats
{{- end }}
{{- with .root.Values.telemetryHeaders.secret }}
{{ include "reins.secretVariable" (dict "name" "REINS_TELEMETRY_HEADERS" "secret" . "key" $.root.Values.telemetryHeaders.key) }}
{{- end }}
{{- end -}}

{{/* The variables with the address of Postgres. Takes the root. */}}
{{- define "reins.databaseEnvironment" -}}
{{- if eq .Values.database.mode "bundled" -}}
{{ include "reins.secretVariable" (dict "name" "POSTGRES_PASSWORD" "secret" .Values.database.secret "key" "password") }}
- name: REINS_DATABASE_URL
  value: postgres://reins:$(POSTGRES_PASSWORD)@{{ include "reins.fullname" . }}-postgres:5432/reins
{{- else -}}
{{ include "reins.secretVariable" (dict "name" "REINS_DATABASE_URL" "secret" .Values.database.secret "key" "url") }}
{{- end }}
{{- end -}}

{{/* The variables of a pool of hosts. Takes {root, pool}. */}}
{{- define "reins.hostEnvironment" -}}
- name: HOME
  value: /home/reins
- name: XDG_CACHE_HOME
  value: /home/reins/.cache
- name: REINS_HOST_RUNTIMES
  value: {{ join "," .pool.runtimes | quote }}
{{- range $name := list "slots" "warm" "sandbox" "network" }}
{{- if hasKey $.pool $name }}
- name: REINS_HOST_{{ upper $name }}
  value: {{ get $.pool $name | toString | quote }}
{{- end }}
{{- end }}
{{- with .pool.allow }}
- name: REINS_HOST_ALLOW
  value: {{ join "," . | quote }}
{{- end }}
{{- range $name, $from := .root.Values.hostSecrets }}
{{ include "reins.secretVariable" (dict "name" $name "secret" $from.secret "key" $from.key) }}
{{- end }}
{{- end -}}
