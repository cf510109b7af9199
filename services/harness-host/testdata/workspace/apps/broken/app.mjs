console.error('no licence'); process.exit(7);
