"""From labels to a decision: classifiers, their choice by held-out documents, calibration, threshold."""
