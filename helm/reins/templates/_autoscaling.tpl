{{/* An autoscaler of one Deployment. Takes {root, part, pool?, name, autoscaling}. */}}
{{- define "reins.autoscaler" -}}
{{- $of := .autoscaling -}}
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ .name }}
  labels: {{- include "reins.labels" . | nindent 4 }}
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: {{ .name }} }
  minReplicas: {{ $of.minReplicas }}
  maxReplicas: {{ $of.maxReplicas }}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target: { type: Utilization, averageUtilization: {{ $of.cpuPercent }} }
{{- end -}}
