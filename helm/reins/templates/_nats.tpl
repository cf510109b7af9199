{{/* The configuration of the NATS servers. */}}
{{- define "reins.natsConfiguration" -}}
{{- $name := printf "%s-nats" (include "reins.fullname" .) -}}
server_name: $POD_NAME
port: 4222
http_port: 8222
pid_file: /tmp/nats.pid
# With its preStop hook, a server moves its clients and leaders to the others before it ends.
lame_duck_grace_period: 5s
lame_duck_duration: 30s
jetstream {
  store_dir: /data
  sync_interval: {{ .Values.nats.bundled.syncInterval | quote }}
}
{{- if eq .Values.nats.auth.type "token" }}
authorization { token: $NATS_TOKEN }
{{- end }}
{{- if gt (int .Values.nats.replicas) 1 }}
cluster {
  name: {{ $name }}
  port: 6222
  routes: [
    {{- range $index := until (int .Values.nats.replicas) }}
    nats://{{ $name }}-{{ $index }}.{{ $name }}-servers:6222
    {{- end }}
  ]
}
{{- end }}
{{- end -}}
