{{/* The claim of a data volume. Takes {storage}. Its labels never change, because a StatefulSet cannot change its claims. */}}
{{- define "reins.claim" -}}
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: data
spec:
  accessModes: [ReadWriteOnce]
  {{- with .storage.className }}
  storageClassName: {{ . }}
  {{- end }}
  resources:
    requests: { storage: {{ .storage.size }} }
{{- end -}}
