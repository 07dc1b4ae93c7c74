"""The unlock gallery: artwork that nobody may upload."""
