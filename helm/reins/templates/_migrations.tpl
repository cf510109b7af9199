{{/* The template of the pod that migrates the read model. */}}
{{- define "reins.migrationPod" -}}
{{- $part := dict "root" . "part" "migrations" -}}
metadata:
  labels: {{- include "reins.labels" $part | nindent 4 }}
spec: {{- include "reins.podBasics" $part | nindent 2 }}
  restartPolicy: OnFailure
  containers:
    - name: migrations
      image: {{ include "reins.image" (dict "root" . "name" "projector") }}
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      command: [node, services/projector/dist/migrate.js]
      securityContext: {{- include "reins.restricted" . | nindent 8 }}
      env:
        - name: REINS_CONFIG
          value: /etc/reins/reins.yaml
        {{- include "reins.databaseEnvironment" . | nindent 8 }}
      resources: {{- toYaml .Values.services.projector.resources | nindent 8 }}
      volumeMounts:
        - { name: settings, mountPath: /etc/reins/reins.yaml, subPath: reins.yaml, readOnly: true }
        - { name: tmp, mountPath: /tmp }
  volumes:
    - name: settings
      configMap: { name: {{ include "reins.fullname" . }}-settings }
    - name: tmp
      emptyDir: {}
{{- end -}}
