"""A run's metrics for other tools to show: tensorboard, wandb, mlflow, trackio. Only assembly knows of them."""
